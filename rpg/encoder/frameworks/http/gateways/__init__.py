"""What stands between clients and routes and hands requests on: nginx, YARP, Ocelot, Spring Cloud Gateway, proxies of
development servers.

In: configuration (`Source`). Out: rules as rows: what a path begins with, the host that it is handed on to, and what
becomes of the path; which rule a request meets (`meeting.py`). Absent: rules that code computes; a host that is
computed is not known, so that what its rule leads to is possible.
"""
