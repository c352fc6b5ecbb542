"""What an agent is told: one renderer, one budgeter, and what goes into each kind of briefing."""
