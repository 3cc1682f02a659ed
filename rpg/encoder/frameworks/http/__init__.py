"""HTTP: routes, and the requests that are sent to them.

`clients.py` and `servers.py` are tables of libraries; `requests.py` and `routes.py` read a file by them; `addresses.py`
says which route an address means.
"""
