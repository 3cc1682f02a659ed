"""`rpg install`, `rpg uninstall` and `rpg doctor`: this server in the configuration of coding agents' clients, and out
of it again.

In: a client, a scope, a graph or a folder. Out: that client's files, in which everything else stays as it was, byte for
byte; what was written is remembered, so that it can be taken back. Which files, keys and forms a client has is a row in
table.py; how a format is edited without touching the rest, editing/; what is offered besides the server, offers/.
"""
