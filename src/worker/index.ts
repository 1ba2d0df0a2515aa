/** `steerloop/worker`: loops in worker threads. */
export { type AgentData, agentDataSchema } from '../node/agent-data.ts';
export { createHost, HOST_DEFAULTS, type Host } from './host.ts';
export type { HostOptions, HostStartOptions } from './host-options.ts';
export { type OnOutput, OUTPUT_CAP, type ThreadOutput } from './thread-output.ts';
