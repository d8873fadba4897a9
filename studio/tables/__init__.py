"""Tables: state, messages, decisions, and the runtime that joins them to journal and ledger."""
