// All attacks, in the order of the table. A new one is a file, and a line here.
import { badQuestions } from "./attacks/bad-questions.mjs";
import { bombs } from "./attacks/bombs.mjs";
import { fewDescriptors } from "./attacks/few-descriptors.mjs";
import { keyFlood, oddPaths, wrongKeys } from "./attacks/floods.mjs";
import { foreignHosts } from "./attacks/foreign-hosts.mjs";
import { fullDisk } from "./attacks/full-disk.mjs";
import { hostilePacks } from "./attacks/hostile-packs.mjs";
import { hugeIds } from "./attacks/huge-ids.mjs";
import { killedServer, killedWorker } from "./attacks/kills.mjs";
import { deletedLedger, replacedLedger } from "./attacks/ledger-file.mjs";
import { abandonedRuns, longRuns } from "./attacks/long-runs.mjs";
import { foreignMutatedBodies, mutatedBodies } from "./attacks/mutated-bodies.mjs";
import { mutatedPacks } from "./attacks/mutated-packs.mjs";
import { oneNanocredit } from "./attacks/one-nanocredit.mjs";
import { keyNamesInMetrics, oneSignal, openKeyFile } from "./attacks/setup-mistakes.mjs";
import { slowHeaders, slowReaders, slowUploads, slowUploadsByKey } from "./attacks/slow-clients.mjs";
import { doubtfulHosts, smuggling } from "./attacks/smuggling.mjs";
import { unreadReplies } from "./attacks/unread-replies.mjs";
import { workerThread } from "./attacks/worker-thread.mjs";

/** Those that one server can stand at once. */
export const TOGETHER = [
  unreadReplies,
  hugeIds,
  longRuns,
  abandonedRuns,
  badQuestions,
  slowUploadsByKey,
  slowHeaders,
  slowReaders,
  keyFlood,
  wrongKeys,
  oddPaths,
  smuggling,
  bombs,
  mutatedBodies,
  foreignMutatedBodies,
];

/** Those that end the server, or that need one of their own. */
export const ALONE = [
  slowUploads,
  doubtfulHosts,
  foreignHosts,
  fewDescriptors,
  oneNanocredit,
  deletedLedger,
  replacedLedger,
  fullDisk,
  killedServer,
  killedWorker,
  hostilePacks,
  mutatedPacks,
  workerThread,
  oneSignal,
  openKeyFile,
  keyNamesInMetrics,
];
