"""The document of the interface, drawn from the routes and the types they name, as OpenAPI and as a page.

It knows what a route is and no route by name, so it can tell of all of them.
"""
