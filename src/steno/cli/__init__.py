"""The command line: parse, have it answered, print."""
