"""A client of Croupier. So far it verifies records: see `croupier.verify`."""
