"""The floor of a rehearsal in a process of its own: machines that hosts reach over the network, and people who press
buttons at the web nodes.
"""
