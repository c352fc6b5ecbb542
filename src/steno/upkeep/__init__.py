"""The memory takes care of itself: jobs in a fixed order, every night and in idle time."""
