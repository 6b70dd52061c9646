"""Messages that the service sent, verified by the reference library of Standard Webhooks."""

import datetime
import json
import pathlib
import unittest
import unittest.mock

from standardwebhooks import webhooks

from croupier.webhooks import Forged, read_message

FILE = pathlib.Path(__file__).parents[3] / "tests" / "vectors" / "webhooks.json"


class Webhooks(unittest.TestCase):
    def test_every_secret_verifies_and_no_other(self):
        for sample in json.loads(FILE.read_bytes()):
            headers, body = sample["headers"], sample["body"]
            sent = datetime.datetime.fromtimestamp(int(headers["webhook-timestamp"]), datetime.timezone.utc)
            with unittest.mock.patch.object(webhooks, "datetime", wraps=datetime.datetime) as clock:
                clock.now.return_value = sent
                for secret in sample["secrets"]:
                    told = webhooks.Webhook(secret).verify(body, headers)
                    self.assertEqual(told["data"]["subscription"], "subscriptions/feed")
                    with self.assertRaises(webhooks.WebhookVerificationError):
                        webhooks.Webhook(secret).verify(body + " ", headers)
                    message = read_message(secret, {k.title(): v for k, v in headers.items()}, body.encode())
                    self.assertEqual(message.data.subscription, "subscriptions/feed")
                    with self.assertRaises(Forged):
                        read_message(secret, headers, body.replace("feed", "food"))
                    with self.assertRaises(Forged):
                        read_message(secret, headers, b"\xff")
                with self.assertRaises(webhooks.WebhookVerificationError):
                    webhooks.Webhook("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDLZk=").verify(body, headers)
