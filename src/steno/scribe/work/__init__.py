"""Pieces of work: the goal of each, where it stands, and the trail of what was done. Kept turn by turn, pure."""
