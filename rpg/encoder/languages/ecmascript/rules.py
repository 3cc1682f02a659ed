"""Where the names of modules lead."""
from rpg.encoder.languages import Rules as Base
class Rules(Base):
    constructor = "constructor"
