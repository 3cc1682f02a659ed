"""All files together, as tables: definitions, scopes, modules by path. Nothing is inferred here."""
