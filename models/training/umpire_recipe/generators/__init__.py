"""One generator a file. Each draws twins: two states that differ in one fact, and questions about both. texts/ holds their wordings."""
