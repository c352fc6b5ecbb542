"""How to behave: scores, decay, merging, matchers. Pure functions over values; somebody else reads and writes."""
