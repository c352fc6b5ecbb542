"""Our hooks in a host's own settings: `changes.py` plans, shows and makes a change; `command.py` is what hosts run."""
