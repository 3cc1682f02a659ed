"""What the command line prints, and how it looks: plain in a pipe; with colours, a pager and a bar on a terminal.

In: answers, progress. Out: bytes on stdout and stderr.
"""
