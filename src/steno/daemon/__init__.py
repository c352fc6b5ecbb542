"""The daemon: one process that captures, lets the scribe write, keeps briefings ready, and answers the doors."""
