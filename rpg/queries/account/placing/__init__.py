"""What each occurrence of a symbol's name is: placing.py asks what the index explains, then a judgement for code, for
literals or for text. What these ask for is in sought.py, of the symbol, and in surroundings.py, of the file."""
