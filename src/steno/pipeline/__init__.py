"""Where data changes rooms: transcripts → sources → redact → journal."""
