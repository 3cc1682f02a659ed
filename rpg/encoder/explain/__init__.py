"""What the encoder saw and did, in words.

In: a file's facts, or a resolution. Out: text about a file, a reference, a resolution step by step. Nothing is resolved
here.
"""
