/** A journal whose commits are held, released and failed by hand, for tests of what must wait for it (L4). */
import type { Journal } from '../ports.ts';
import type { DurableEvent } from '../schema/event.ts';
import { type Deferred, deferred } from './deferred.ts';
import { Milestones } from './milestones.ts';

/** A journal in memory, driven by hand. Until `hold` it keeps everything at once. */
export interface ManualJournal extends Journal {
  /** Everything that was appended, in order. */
  readonly events: readonly DurableEvent[];
  /** Seqs of commits that wait, in the order in which they came. */
  readonly waiting: readonly number[];
  /** From here on commits wait. */
  hold(): void;
  /** Lets waiting commits up to `seq` resolve and goes on holding; without `seq` all of them, and holds no longer. */
  release(seq?: number): void;
  /** Waiting commits and all later ones reject with this error. */
  fail(error?: Error): void;
  /** Resolves once a commit of `seq` or beyond was asked for. */
  whenCommitAsked(seq: number): Promise<void>;
}

interface HeldCommit extends Deferred<void> {
  readonly seq: number;
}

/** Makes a journal that is driven by hand; `events` are those it holds already. */
export function manualJournal(events: readonly DurableEvent[] = []): ManualJournal {
  const kept = [...events];
  const asked = new Milestones();
  let held: HeldCommit[] = [];
  let holding = false;
  let releasedTo = 0;
  let failure: Error | undefined;

  const settle = (due: (commit: HeldCommit) => boolean, how: (commit: HeldCommit) => void): void => {
    const settled = held.filter(due);
    held = held.filter((commit) => !due(commit));
    settled.forEach(how);
  };

  return {
    events: kept,
    get waiting() {
      return held.map((commit) => commit.seq);
    },
    append(event) {
      kept.push(event);
    },
    commit(seq) {
      const commit = { seq, ...deferred() };
      if (failure !== undefined) commit.reject(failure);
      else if (holding && seq > releasedTo) held.push(commit);
      else commit.resolve();
      asked.reach(seq);
      return commit.promise;
    },
    read: (from) => Promise.resolve(kept.filter((event) => event.seq >= from)),
    hold() {
      holding = true;
    },
    release(seq) {
      if (seq === undefined) holding = false;
      else releasedTo = Math.max(releasedTo, seq);
      settle(
        (commit) => !holding || commit.seq <= releasedTo,
        (commit) => commit.resolve(),
      );
    },
    fail(error = new Error('the journal cannot be written')) {
      failure = error;
      settle(
        () => true,
        (commit) => commit.reject(error),
      );
    },
    whenCommitAsked: (seq) => asked.whenReached(seq),
  };
}
