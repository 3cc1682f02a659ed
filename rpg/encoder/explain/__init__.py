"""What the encoder saw and did, in words: a file's facts, a reference, a resolution step by step. Nothing is resolved
here."""
