"""How to do it: finding a flow, its record, learning one from what was done. Pure functions over values."""
