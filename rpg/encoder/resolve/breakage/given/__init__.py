"""Uses of what gives or holds something of another type now, where the statement around does not take that.

In: a site that is the same before and after, and the definition that it means, of both times. Out: a finding. Types
are compared as their texts; what is no plain case of a known kind fits.
"""
