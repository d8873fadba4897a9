"""What a studio and an operator's wallet say to each other: calls, answers, and what an answer comes to."""
