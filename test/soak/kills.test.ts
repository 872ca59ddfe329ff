import { killsSuite } from "../service/node/ledger/kills-suite.ts";

killsSuite({ workerKills: 50, serverKills: 20 });
