"""How answers look on a terminal, one module for each subject of the table of verbs."""
