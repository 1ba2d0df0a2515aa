/** `steerloop/worker`: loops in worker threads. */
export { type AgentData, agentDataSchema } from '../node/agent-data.ts';
export { createHost, HOST_DEFAULTS, HOST_LIMITS, type Host } from './host.ts';
export type { HostOptions, HostRecording, HostStartOptions } from './host-options.ts';
export { type OnOutput, OUTPUT_CAP, type ThreadOutput } from './thread-output.ts';
