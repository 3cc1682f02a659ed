"""What an answer is worth: a judgement by known answers, ranks, and copies that must be told apart."""
