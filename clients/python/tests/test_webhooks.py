"""Messages that the service sent, verified by the reference library of Standard Webhooks."""

import datetime
import json
import pathlib
import unittest
import unittest.mock

from standardwebhooks import webhooks

FILE = pathlib.Path(__file__).parents[3] / "tests" / "vectors" / "webhooks.json"


class Webhooks(unittest.TestCase):
    def test_every_secret_verifies_and_no_other(self):
        for message in json.loads(FILE.read_bytes()):
            headers, body = message["headers"], message["body"]
            sent = datetime.datetime.fromtimestamp(int(headers["webhook-timestamp"]), datetime.timezone.utc)
            with unittest.mock.patch.object(webhooks, "datetime", wraps=datetime.datetime) as clock:
                clock.now.return_value = sent
                for secret in message["secrets"]:
                    told = webhooks.Webhook(secret).verify(body, headers)
                    self.assertEqual(told["data"]["subscription"], "subscriptions/feed")
                    with self.assertRaises(webhooks.WebhookVerificationError):
                        webhooks.Webhook(secret).verify(body + " ", headers)
                with self.assertRaises(webhooks.WebhookVerificationError):
                    webhooks.Webhook("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDLZk=").verify(body, headers)
