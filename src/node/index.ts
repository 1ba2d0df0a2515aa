/** steerloop/node: the Node adapters of the core. Command tools from a manifest, recording files, agents made from data. */
export { type AgentData, agentDataSchema } from './agent-data.ts';
export { type AgentFromDataOptions, agentFromData } from './agent-from-data.ts';
export { ALLOWED_VARIABLES } from './command/command-environment.ts';
export { type CommandToolsOptions, commandTools } from './command/command-tools.ts';
export { describeManifest } from './manifest/describe-manifest.ts';
export { loadManifest, parseManifest } from './manifest/load-manifest.ts';
export type { Manifest, ManifestTool } from './manifest/manifest.ts';
export type { Recording } from './recording/file-recording.ts';
export { type OpenRecordingOptions, openRecording } from './recording/open-recording.ts';
export { type ReadRecordingOptions, readRecordingFile } from './recording/read-recording-file.ts';
export { loadScriptModel } from './script-file.ts';
