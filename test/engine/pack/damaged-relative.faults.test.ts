import { RELATIVE } from "../suite-models.ts";
import { damagedPackSuite } from "./damaged-suite.ts";

damagedPackSuite(RELATIVE);
