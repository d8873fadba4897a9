"""The thread of a table and what lies before it: the mailbox with its lanes, operators' errands, the notice board."""
