"""What a model is asked about a portion of a session, and what of its answer is kept. Pure: somebody else asks."""
