/**
 * `steerloop/testing`: everything a test of an agent needs to run without a provider, without sleeping and
 * without a real clock. Shipped code: our own tests use it too.
 */
export type { MessageChannelEnd } from '../channel-end.ts';
export { deepFreeze } from '../deep-freeze.ts';
export { collect, waitForEvent } from './collect.ts';
export { type Deferred, deferred } from './deferred.ts';
export { countingIds, type FixedClock, fixedClock, fixedRandom } from './fixed-ports.ts';
export { type Lane, type LinkedChannel, linkedChannel } from './linked-channel.ts';
export { type ManualJournal, manualJournal } from './manual-journal.ts';
export { type ManualTimers, manualTimers, type PendingTimer } from './manual-timers.ts';
export {
  type AnswerFunction,
  type CallState,
  type RecordedCall,
  type RecordingExecutor,
  recordingExecutor,
  type ScriptedTool,
  type ScriptedToolEntry,
} from './recording-executor.ts';
export { type RecordingToolSpec, type RecordingTools, recordingTools } from './recording-tools.ts';
export {
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedStep,
  type ScriptedStepFunction,
  scriptedModel,
} from './scripted-model.ts';
export { fail, hang, text, toolCall, toolCalls } from './steps.ts';
