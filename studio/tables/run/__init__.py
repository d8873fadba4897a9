"""What drives a table: messages in, decisions made durable, answers out, and debts paid step by step."""
