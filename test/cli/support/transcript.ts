/** Transcripts: what a command printed, on one page and without what differs from run to run. */
import type { Finished } from './cli-process.ts';

/** Both streams and the exit code, masked. */
export function transcript({ code, stdout, stderr }: Pick<Finished, 'code' | 'stdout' | 'stderr'>): string {
  return `[stderr]\n${masked(stderr)}[stdout]\n${masked(stdout)}[exit code ${code}]\n`;
}

/** Text with times, ids and the recording's path masked. */
export function masked(text: string): string {
  return text
    .replace(/recorded to .*/g, 'recorded to <recording>')
    .replace(/again in [\dms. ]+/g, 'again in <time> ')
    .replace(/has taken \d+ ms/g, 'has taken <time>')
    .replace(/"time":\d+/g, '"time":<time>')
    .replace(/\b(run|msg|call|ctl)_[0-9a-f]{8,}\b/g, '$1_<id>');
}
