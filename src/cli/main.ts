#!/usr/bin/env node
/** The `steerloop` command. The process ends by itself when nothing is left to do, so whatever still holds it open shows. */
import { runProgram } from './program.ts';

process.exitCode = await runProgram(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  out: process.stdout,
  err: process.stderr,
});
