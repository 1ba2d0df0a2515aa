/**
 * Event lines: what the trace says of each durable event, as lines with their line ends, or nothing. Pure. Model text
 * is not here (see `reply-text.ts`), nor the last line (see `summary.ts`).
 */
import type { Control } from '../../runtime/schema/control.ts';
import type { DurableEvent, DurableEventOf } from '../../runtime/schema/event.ts';
import type { ResultContent } from '../../runtime/schema/message.ts';
import type { Style } from '../terminal/style.ts';
import { formatRoundedDuration, joinParts, problemLine, quoteLine } from './layout.ts';

/** What earlier events told that a later line needs. */
export interface LineContext {
  readonly style: Style;
  /** Name of the tool of a call. */
  toolName(callId: string): string;
  /** The control that was accepted under this id. */
  control(controlId: string): Control | undefined;
  /** Whether text of the attempt that is over stands on the screen. */
  readonly textIsVoid: boolean;
}

/** The lines of one event; '' when the trace says nothing of it. */
export function eventLines(event: DurableEvent, context: LineContext): string {
  const { style } = context;
  switch (event.type) {
    case 'iteration_started':
      return `${style.bold(`── iteration ${event.iteration}`)}\n`;
    case 'run_resumed':
      return `${style.bold(`── resumed behind event ${event.from_seq}`)}\n`;
    case 'tool_call':
      return quoteLine('▸', style.cyan, `${event.name} ${event.arguments_text ?? JSON.stringify(event.arguments)}`);
    case 'tool_result':
      return resultLine(event, style);
    case 'retry':
      return retryLine(event, context);
    case 'control_received':
      return quoteLine('»', style.yellow, describeControl(event.control, event.by));
    case 'control_applied':
      return fateLine(event, context);
    case 'approval_requested':
      return quoteLine('?', style.yellow, joinParts(`${event.name} asks for approval`, event.display ?? JSON.stringify(event.arguments)));
    case 'approval_decided':
      return decisionLine(event, context);
    case 'awaiting_input':
      return quoteLine(
        '?',
        style.yellow,
        event.question ?? (event.kind === 'message' ? 'waits for the next message' : 'waits for an answer'),
      );
    case 'review':
      return quoteLine('◇', style.yellow, joinParts(`review ${verdictOf(event)}`, event.feedback ?? event.unreviewed));
    case 'compacted':
      return quoteLine('◇', style.yellow, `compacted ${event.messages_before} messages to ${event.messages_after}`);
    case 'limit_reached':
      return problemLine('!', style.yellow, joinParts('limit', event.message));
    case 'limit_extended':
      return quoteLine('»', style.yellow, joinParts(`limit ${event.limit} is ${event.limit_value} now`, event.by && `by ${event.by}`));
    case 'model_changed':
      return quoteLine('»', style.yellow, `model is ${event.model.provider}:${event.model.model} now`);
    case 'tools_changed':
      return quoteLine('»', style.yellow, `tools are ${event.tools.map((tool) => tool.name).join(', ') || 'none'} now`);
    case 'limiter_wait':
      return quoteLine(
        '↻',
        style.yellow,
        joinParts(`waits for ${event.limiter}`, event.wait_ms === undefined ? '' : formatRoundedDuration(event.wait_ms)),
      );
    case 'parked':
      return quoteLine('»', style.yellow, joinParts('parked', event.reason));
    case 'warning':
      return problemLine('!', style.yellow, joinParts(`warning ${event.code}`, event.message));
    case 'run_started':
    case 'llm_turn':
    case 'tool_started':
    case 'input_received':
    case 'child_event':
    case 'done':
      return '';
    default:
      return neverShown(event);
  }
}

function resultLine(event: DurableEventOf<'tool_result'>, style: Style): string {
  const text = `${event.name} ${event.content.map(describeContent).join(' ')}`;
  return event.is_error ? quoteLine('✗', style.red, text) : quoteLine('✓', style.green, text);
}

function describeContent(content: ResultContent): string {
  return content.type === 'text' ? content.text : `[image ${content.media_type ?? content.url ?? ''}]`;
}

function retryLine(event: DurableEventOf<'retry'>, { style, textIsVoid }: LineContext): string {
  const failure = joinParts(event.error_class, event.status === undefined ? '' : `status ${event.status}`);
  return problemLine(
    '↻',
    style.yellow,
    joinParts(
      `attempt ${event.attempt} failed`,
      failure,
      event.wait_ms === 0 ? 'again at once' : `again in ${formatRoundedDuration(event.wait_ms)}`,
      textIsVoid ? 'the text above is void and begins again' : '',
      event.message,
    ),
  );
}

function decisionLine(event: DurableEventOf<'approval_decided'>, context: LineContext): string {
  const { style } = context;
  const allowed = event.decision === 'allow';
  const text = joinParts(
    `${context.toolName(event.call_id)} ${allowed ? 'allowed' : 'denied'}${event.by === undefined ? '' : ` by ${event.by}`}`,
    event.reason,
    event.arguments && `with ${JSON.stringify(event.arguments)}`,
    event.remember && `remembered for the ${event.remember}`,
  );
  return quoteLine('◇', allowed ? style.green : style.red, text);
}

function fateLine(event: DurableEventOf<'control_applied'>, context: LineContext): string {
  const { style } = context;
  const subject = context.control(event.control_id);
  const what = subject === undefined ? 'control' : subject.type;
  switch (event.fate.kind) {
    case 'included':
      return quoteLine('»', style.yellow, joinParts(`${what} seen by iteration ${event.fate.iteration}`, subject && controlText(subject)));
    case 'returned':
      return quoteLine('»', style.yellow, joinParts(`${what} returned, not seen`, event.fate.reason, event.fate.text));
    case 'rejected':
      return quoteLine('»', style.red, joinParts(`${what} rejected`, event.fate.reason));
    case 'applied':
      // A stop shows in how the run ends, a decision in its own line.
      return subject?.type === 'modify_config'
        ? quoteLine('»', style.yellow, `modify_config applied from iteration ${event.iteration}`)
        : '';
    default:
      return neverShown(event.fate);
  }
}

function describeControl(control: Control, by: string | undefined): string {
  const detail = 'delivery' in control ? control.delivery : 'mode' in control ? control.mode : undefined;
  return joinParts(detail === undefined ? control.type : `${control.type} ${detail}`, by && `by ${by}`, controlText(control));
}

function controlText(control: Control): string {
  switch (control.type) {
    case 'inject':
      return contentText(control.message);
    case 'answer':
      return contentText(control.content);
    case 'stop':
      return control.reason ?? '';
    case 'cancel_call':
      return control.call_id;
    case 'decide':
      return joinParts(control.decision, control.reason);
    case 'modify_config': {
      const { type: _type, id: _id, ...config } = control;
      return JSON.stringify(config);
    }
    default:
      return neverShown(control);
  }
}

function contentText(content: string | readonly ResultContent[]): string {
  return typeof content === 'string' ? content : content.map(describeContent).join(' ');
}

/** The compiler refuses a variant that the switch forgot; a newer recording's variant shows nothing. */
function neverShown(_value: never): string {
  return '';
}

function verdictOf({ approved }: DurableEventOf<'review'>): string {
  if (approved === undefined) return 'unreviewed';
  return approved ? 'approved' : 'rejected';
}
