"""Many agents, one memory: who they are, what they can do, what they write to each other. See DESIGN.md."""
