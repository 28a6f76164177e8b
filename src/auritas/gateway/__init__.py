"""One way to ask a model: embedded, over HTTP, replayed or scripted, with limits, a budget and an egress ledger."""
