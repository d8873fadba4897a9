"""The pages at the door: signing in and out, the way home by role, and choosing another PIN."""
