import { describe } from "vitest";
import { RELATIVE, SUITE_MODELS } from "../suite-models.ts";
import { damagedPackSuite } from "./damaged-suite.ts";

describe.each([...SUITE_MODELS, RELATIVE])("$id", damagedPackSuite);
