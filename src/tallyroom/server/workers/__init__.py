"""Several servers on one host that answer at one address: the parent that keeps them running, and its children.

The parent loads neither the event store nor the web framework, and does not fork: each child is a new interpreter.
"""
