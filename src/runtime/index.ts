/**
 * steerloop: the portable core. Nothing here needs Node; provider SDKs, price tables and the pattern engine load when first used.
 */
export { type Agent, defineAgent, type Hooks } from './agent.ts';
export { ConfigError, ModelError, SteerloopError, ToolError } from './errors.ts';
export { memoryJournal } from './memory-journal.ts';
export { type AnthropicModelOptions, anthropicModel } from './models/anthropic-model.ts';
export { type OpenAiModelOptions, openaiCompatibleModel, openaiModel } from './models/openai-model.ts';
export { type ModelScheme, type ResolveModelOptions, resolveModel } from './models/resolve-model.ts';
export { parseScript } from './models/script/parse-script.ts';
export { scriptModel } from './models/script/script-model.ts';
export type {
  ClassifyError,
  Clock,
  EstimateCost,
  Ids,
  Journal,
  Logger,
  Model,
  ModelCallOptions,
  ModelChunk,
  ModelOptions,
  ModelReply,
  ModelRequest,
  PricedCall,
  Random,
  ResolveModel,
  Timers,
} from './ports.ts';
export { lineOf } from './recording/line-of.ts';
export { parseRecording, parseRecordingLines } from './recording/parse-recording.ts';
export type { ParsedRecording, RecordingWarning } from './recording/recording-reader.ts';
export { type ReplayOptions, replayRun } from './recording/replay-run.ts';
export { eventsOfRun, runsOf } from './recording/runs-of.ts';
export type { Acceptance, EventsOptions, Receipt, Run, RunResult } from './run.ts';
export { DEFAULTS, type RunConfig, runConfigSchema, type StopRule, type ThinkingLevel } from './schema/config.ts';
export { type Control, controlSchema, type Fate, type UserContent } from './schema/control.ts';
export type { ErrorClass, ErrorData } from './schema/error-data.ts';
export {
  type DoneEvent,
  type DoneReason,
  type DurableEvent,
  durableEventSchema,
  type EphemeralEvent,
  ephemeralEventSchema,
  isDurable,
  type RunEvent,
} from './schema/event.ts';
export type { JsonObject, JsonValue } from './schema/json.ts';
export { type AssistantBlock, type Block, type Message, messageSchema, type ToolOutcome } from './schema/message.ts';
export type { StopReason } from './schema/model-request.ts';
export { type RecordingLine, recordingLineSchema } from './schema/recording.ts';
export type { ToolDefinition, ToolEffect } from './schema/tool-definition.ts';
export type { Usage } from './schema/usage.ts';
export type { InputMessage, RunInput, StartOptions } from './start-options.ts';
export { startRun } from './start-run.ts';
export { applyEvent } from './state/apply-event.ts';
export { historyOf } from './state/history.ts';
export { requestOf } from './state/request-of.ts';
export { initialState, type RunState } from './state/run-state.ts';
export { FINISH_TOOL_NAME } from './stop-rule.ts';
export { defineTool } from './tools/define-tool.ts';
export type { Tool, ToolContext } from './tools/tool.ts';
export { ToolOutput } from './tools/tool-output.ts';
export { toolsFrom } from './tools/tools-from.ts';
