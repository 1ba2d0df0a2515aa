import { describe, expect, it } from 'vitest';
import { describeManifest } from '../../../src/node/manifest/describe-manifest.ts';
import { parseManifest } from '../../../src/node/manifest/load-manifest.ts';

const MANIFEST = `
tools:
  - name: grep_repo
    description: |
      Search files under the current directory
      for a regular expression.
    parameters:
      type: object
      properties:
        pattern: { type: string }
        path: { type: string, default: . }
        why: {}
      required: [pattern]
    command: ["grep", "-rn", "--", "{{.pattern}}", "{{.path}}"]
    timeout: 20s
    confirm: true
    effect: read
    ok_exit_codes: [0, 1]
    env: { TOKEN: , MODE: fast }
  - name: build
    command: [make, "a target"]
    cwd: sub
    env: inherit
    allow_flag_values: true
`;

describe('A described manifest', () => {
  it('shows of each tool what it would run, its limits and what it gets to see, without values', async () => {
    const page = describeManifest(await parseManifest(MANIFEST, { path: 'tools.yaml' }));

    expect(page).toMatchInlineSnapshot(`
      "tools.yaml: 2 tools

      grep_repo
        about:       Search files under the current directory for a regular expression.
        runs:        grep -rn -- '{{.pattern}}' '{{.path}}'
        in:          the current directory
        parameters:  pattern (string, required), path (string, optional, default "."), why (any, optional, not used by the command)
        effect:      read, interruptible
        confirm:     each call is denied: this version cannot ask for consent; --skip-confirm runs it without
        limits:      20s, 65536 bytes of output
        success:     exit code 0, 1
        flags:       a value that begins with "-" is refused
        environment: PATH HOME LANG TERM TZ USER SHELL TMPDIR TOKEN MODE (set here)

      build
        about:       Runs: make a target
        runs:        make 'a target'
        in:          sub
        parameters:  none
        effect:      write
        confirm:     no
        limits:      1m, 65536 bytes of output
        success:     exit code 0
        flags:       a value may begin with "-"
        environment: everything but ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_CUSTOM_HEADERS ANTHROPIC_ENVIRONMENT_KEY ANTHROPIC_IDENTITY_TOKEN ANTHROPIC_WEBHOOK_SIGNING_KEY ANTHROPIC_WORK_SECRET AZURE_OPENAI_API_KEY OPENAI_ADMIN_KEY OPENAI_API_KEY OPENAI_CUSTOM_HEADERS OPENAI_WEBHOOK_SECRET
      "
    `);
    expect(page).not.toContain('fast');
  });
});
