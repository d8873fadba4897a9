"""The wire between the processes of a studio on several machines: views, commands by request and reply, presence.

It is NATS core and never a record: what is lost on it is a stale picture or a question asked again. Only a studio whose
configuration names NATS comes here; the library that speaks it is imported when the connection is made.
"""
