"""What stands before and after an action. Decides over values; somebody else reads and writes."""
