"""Where others come in: the only rooms that know hooks, MCP or HTTP. Translate, ask the front desk, translate back."""
