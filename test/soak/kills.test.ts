import { killsSuite } from "../serve/ledger/kills-suite.ts";

killsSuite({ workerKills: 50, serverKills: 20 });
