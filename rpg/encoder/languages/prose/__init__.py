"""Text: documents, their headings and the code in them, prompts, and files that nothing parses."""
