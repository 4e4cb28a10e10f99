import { useMutation, useQuery } from '@tanstack/react-query';
import { answer, api, type Schema } from '@/api/client';
import { organization } from '@/api/data';
import { ApiError, fieldError } from '@/api/error';
import { queries } from '@/api/queries';
import { common } from '@/messages/common';
import { messages } from '@/messages/organization';
import { LOG_CONTENTS } from '@/pages/projects/logContents';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { toast } from '@/ui/toasts';
import { useFocusFirstError } from '@/ui/useFocusFirstError';
import { Facts } from './Facts';
import { RequireProject } from './RequireProject';

/** Shows and changes the settings of the organization. */
export function Organization() {
  const query = useQuery(organization);
  return (
    <Page title={messages.title} intro={messages.intro}>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title={messages.settings}>
          <Loaded query={query}>{(shown) => <Settings shown={shown} />}</Loaded>
        </Card>
        <RequireProject />
        <Card title={messages.service} note={messages.serviceNote} className="lg:col-span-2">
          <Loaded query={query}>{(shown) => <Facts shown={shown} />}</Loaded>
        </Card>
      </div>
    </Page>
  );
}

function Settings({ shown }: { shown: Schema<'Organization'> }) {
  const may = usePermission()('ORGANIZATION:UPDATE_ORGANIZATION');
  const run = useMutation({
    meta: { shown: true },
    mutationFn: (form: FormData) => {
      const default_log_content = (String(form.get('content')) || null) as Schema<'LogContent'> | null;
      return answer(api.PUT('/api/organization', { body: { name: String(form.get('name')), default_log_content } }));
    },
    onSuccess: async () => {
      toast(messages.saved);
      await queries.invalidateQueries({ queryKey: ['organization'] });
      // The menu of organizations shows the name.
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
  const isTaken = run.error instanceof ApiError && run.error.status === 409;
  const nameError = isTaken ? messages.nameTaken : fieldError(run.error, 'name');
  const form = useFocusFirstError(run.error);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        run.mutate(new FormData(event.currentTarget));
      }}
    >
      <fieldset disabled={!may} className="max-w-lg space-y-4">
        <Input
          label={common.name}
          name="name"
          defaultValue={shown.name}
          required
          maxLength={100}
          autoComplete="off"
          error={nameError}
        />
        <Select
          label={messages.defaultLogContent}
          name="content"
          defaultValue={shown.default_log_content ?? ''}
          options={[['', messages.serviceDefault], ...LOG_CONTENTS]}
          hint={messages.defaultLogContentHint}
        />
        {run.error && !nameError && <ErrorNote error={run.error} />}
        {may ? (
          <Button type="submit" kind="primary" busy={run.isPending}>
            {common.save}
          </Button>
        ) : (
          <p className="text-xs text-quiet">{messages.readOnly}</p>
        )}
      </fieldset>
    </form>
  );
}
