/** Texts about secrets, or that look like some, of which nothing may be redacted. One per line. */
export const INNOCENT_TEXTS: readonly string[] = `
fetch(url, { credentials: 'same-origin' })
fetch("/api", { method: "POST", credentials: "include", mode: "cors" })
axios.defaults.withCredentials = true;
headers.set("Authorization", "Bearer " + token)
headers: { Authorization: 'Bearer ' + accessToken }
headers["Authorization"] = f"Bearer {token}"
request.setHeader("Authorization", "Basic " + btoa(user + ":" + pass));
-H "Authorization: Bearer $TOKEN"
-H "Authorization: Bearer <your token>"
-H 'Authorization: token YOUR_GITHUB_TOKEN'
curl -H "X-Api-Key: $API_KEY" https://api.example/v1
curl -u "$USER:$PASS" https://api.example
curl -u user: https://api.example
password: string;
password?: string | null;
readonly password: string | undefined
interface Login { user: string; password: string }
def login(user: str, password: str) -> Token:
def connect(host, password=None, secret=None):
fn login(password: &str) -> Result<Token, Error>
func Login(password string) (token string, err error)
String password = request.getParameter("password");
private String password;
password = getpass.getpass()
password = input("Password: ")
const password = await prompt("Password:");
const secret = crypto.randomBytes(32).toString("hex")
token = secrets.token_urlsafe(32)
api_key = os.environ["OPENAI_API_KEY"]
api_key=os.getenv("ANTHROPIC_API_KEY")
const key = process.env.STRIPE_SECRET_KEY;
secret: process.env.NEXTAUTH_SECRET ?? ""
password: ${"$"}{{ secrets.DB_PASSWORD }}
token: ${"$"}{{ secrets.GITHUB_TOKEN }}
DB_PASSWORD=${"$"}{DB_PASSWORD}
DB_PASSWORD="$(cat /run/secrets/db_password)"
PASSWORD=
API_KEY=""
API_KEY=your-api-key-here
OPENAI_API_KEY=<your key>
SECRET_KEY=changeme
export TOKEN=$(gcloud auth print-access-token)
--password-file /run/secrets/password
--password-stdin
docker login --username bob --password-stdin
mysql -u root -p
mysql -u root -p shop < dump.sql
psql -h localhost -U postgres -W
ssh -p 2222 bob@host
docker run -p 8080:80 -p 443:443 nginx
mkdir -p src/components
cp -p a b && tar -xpf a.tar
git log -p -- src/main.ts
ps -p 1234
scp -P 2222 file host:/tmp
npx create-app my-app --token-count 5
python train.py --max-tokens 4096 --tokenizer gpt2
vllm serve model --api-key-env VLLM_API_KEY
max_tokens: 4096
"max_tokens": 1024, "temperature": 0.7
"usage": {"prompt_tokens": 1234, "completion_tokens": 56, "total_tokens": 1290}
{"token_count": 1234567890}
{"eos_token": "</s>", "pad_token": "<pad>", "bos_token": "<s>"}
{"next_page_token": "CAUQAA"}
{"password": null, "token": null}
{"password": "", "api_key": ""}
{"password": true, "secret": false}
{"password": "required"}
{"type": "object", "properties": {"password": {"type": "string", "minLength": 8}}}
{"name": "password", "type": "string", "description": "The password of the account", "required": true}
{"password": {"type": "string", "format": "password", "description": "At least 8 characters"}}
{"secrets": {"provider": "vault", "path": "kv/data/app1"}}
{"credentials": {"type": "oauth2", "provider": "google"}}
{"secretKeyRef": {"name": "db-secret1", "key": "password"}}
{"public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKx bob@host"}
{"keyboard": "qwerty1", "monkey": "banana2"}
{"token": "USDC", "fromToken": "ETH", "toToken": "SOL"}
{"author": "bob", "authority": "court1"}
["password", "username"]
["email", "password", "remember_me"]
["api_key", "base_url", "timeout"]
["--help", "--version", "--token"]
["-p", "8080"]
["git", "commit", "-m", "Add password reset"]
["python", "-m", "pytest", "-k", "token"]
<password/>
<password></password>
<password>string</password>
<password type="hidden"/>
<input type="password" name="password" placeholder="Password" />
<label for="password">Password</label>
<xs:element name="password" type="xs:string"/>
<property name="password" value="${"$"}{db.password}"/>
<PasswordBox x:Name="passwordBox1" />
The password is required.
Please enter your password to continue.
Your password must contain at least 8 characters, one digit and one symbol.
I forgot my password and cannot log in.
The user changed the password twice in 2023.
Password: (hidden)
Enter password:
Password incorrect, 2 attempts left
sudo: 3 incorrect password attempts
Permission denied (publickey,password).
The secret of success is hard work.
The secret ingredient is 2 cups of sugar.
It's a secret!
This token expires in 3600 seconds.
Each token costs 0.002 dollars.
The model reads 8192 tokens at once.
Tokens per second: 143.7
Bearer authentication is used by the API.
Use basic authentication or a bearer token.
basic usage example
Basic plan: 10 dollars per month
Authorization failed: 401 Unauthorized
WWW-Authenticate: Bearer realm="api", error="invalid_token"
WWW-Authenticate: Basic realm="Restricted Area"
Access-Control-Allow-Headers: Authorization, X-Api-Key, Content-Type
Access-Control-Allow-Credentials: true
Set the Authorization header of each request.
cookie consent banner
cookies: enabled
Cookie policy updated in 2024
document.cookie.split("; ")
req.cookies.session
The API key is stored in the vault.
An API key identifies the project.
Where do I find my API key?
Get an API key at https://platform.example/keys
See https://docs.example/api-keys#rotate for details
The private key never leaves the device.
A seed phrase has 12 or 24 words.
legal winner thank you very much for your help today
the quick brown fox jumps over the lazy dog again and again
abandon hope all ye who enter here
commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b
Merge branch 'main' of github.com:org/repo
index 83db48f..bf269f4 100644
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
sha512-9Rs12Tn07Lw5FVb6JZm3Pgx8Yck4Hdq9Rs12Tn07Lw5FVb6JZm3Pgx8Yck4HdqAB==
"integrity": "sha512-abcDEF123+/abcDEF123+/abcDEF123+/abcDEF123+/abcDEF123+/abcDEF123+/abcDEF12=="
"resolved": "https://packages.example/left-pad/-/left-pad-1.3.0.tgz"
etag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
md5: d41d8cd98f00b204e9800998ecf8427e
checksum = "3c59dc048e8850243be8079a5c74d079"
id: 123e4567-e89b-12d3-a456-426614174000
request_id=req_011CSHoEeqs5C35K2UUqR7Fy
trace-id: 4bf92f3577b34da6a3ce929d0e0e4736
call_abc123def456
"tool_call_id": "call_9Rs12Tn07Lw5FVb6JZm3Pgx8"
session 42 of 100
order #W2378156 was shipped
reservation code ZFA04Y
flight HAT123 on 2024-05-15
tracking number 1Z999AA10123456784
phone +1 415 555 0132
zip code 94107
SKU 4983901480
invoice 20240515-0042
version 1.2.3-beta.4+build567
v20.20.0
2024-05-15T10:30:00.123Z
1715769000123
3.141592653589793
0x1f4
0xdeadbeef
0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48
So11111111111111111111111111111111111111112
bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4
1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 user@host
sig = (a + b) / 2
?sig=none&x=1
signature: v1
const sig = sign(message)
https://example.com/?q=how+to+reset+password
https://example.com/reset-password?lang=en
https://example.com/a/b/c?page=2&sort=asc
https://user@localhost/path
http://localhost:8080/login?next=%2Fhome
postgres://localhost:5432/db
postgres://user@localhost/db
postgres://user:${"$"}{PASSWORD}@localhost/db
redis://localhost:6379/0
mongodb://localhost:27017
git@github.com:org/repo.git
s3://bucket/key/secret.txt
file:///etc/passwd
/etc/shadow
cat /etc/passwd | cut -d: -f1
root:x:0:0:root:/root:/bin/bash
chmod 600 ~/.ssh/id_rsa
ssh-keygen -t ed25519 -C "comment"
openssl genrsa -out key.pem 2048
gpg --list-secret-keys
aws sts get-session-token
aws secretsmanager get-secret-value --secret-id prod/db1
kubectl create secret generic db --from-literal=password=$PASSWORD
kubectl get secret db-secret1 -o yaml
vault kv get secret/data/app1
gh auth login --with-token < token.txt
npm config set //registry/:_authToken ${"$"}{NPM_TOKEN}
npm token list
pip install keyring secretstorage
import secrets, getpass, keyring
from cryptography.hazmat.primitives import hashes
use jsonwebtoken::{decode, encode};
import jwt from "jsonwebtoken"
class PasswordResetToken(models.Model):
class SecretManager { constructor() {} }
def verify_password(plain, hashed): return pwd_context.verify(plain, hashed)
if (!user.password) throw new Error("password missing");
if password != confirm_password:
assert response.json()["token"]
expect(body.token).toBeDefined()
test("password reset sends a mail", async () => {})
it('rejects a wrong password', () => {
# TODO: rotate the API key
// the token is cached for 5 minutes
/* password hashing with bcrypt, cost 12 */
bcrypt.hash(password, 12)
hashlib.sha256(password.encode()).hexdigest()
SELECT id, password_hash FROM users WHERE email = ?
CREATE TABLE users (id int, password varchar(255), token text)
ALTER TABLE users ADD COLUMN api_key_id integer
CREATE USER bob WITH PASSWORD :'pw'
GRANT ALL ON db.* TO 'bob'@'%'
password_policy: strict
password_min_length: 12
passwordless: true
password-reset: enabled
token_ttl: 3600s
tokenizer: cl100k_base
secret_rotation: 30d
key_rotation_days: 90
keyboard_layout: us
keyframes: 24
primary_key: user_id
foreign_key: order_id
sort_key=created_at
partition_key: tenant1
cache_key = f"user:{user_id}"
key: value1
monkey=banana1
passenger_count: 3
first_pass: true
num_passes = 12
compass=north1
bypass: 1200
pass: 12, fail: 3
tests_passed: 118
forward_pass took 12ms
render pass 3 of 5
--pass-through
Passau is a city in Germany
passport number required
boarding pass B22
secretary of state
author=bob1
authorize(user, action="read1")
authority: example.com
cookiecutter template1
tokens = text.split()
len(tokens) == 512
token.type == TokenType.IDENT1
yield Token(kind="NUMBER", value="42")
lexer.next_token()
"token": "hello"
{"token": "world", "logprob": -0.123, "bytes": [119, 111]}
"logprobs": {"tokens": ["the", " cat"], "token_logprobs": [-0.1, -2.3]}
{"passwords_match": false, "token_valid": true}
{"secret_santa": "amy1"}
[redacted:email:1f3a9c07]
[redacted:secret:7aba6f2c] and [redacted:value:00000000]
********
xxxxxxxxxxxx
password=********
token: [REDACTED]
api_key: "***"
"authorization": "[Filtered]"
{"password_env": "DB_PASSWORD", "passwordFrom": "secretRef"}
{"password": "DB_PASSWORD", "api_key": "OPENAI_API_KEY"}
secrets: \`TEXT_MODEL\`, \`logLevel\`
visit(ptr: \`usize\`, cookie: \`u32\`): \`void\`
{"password": "string", "token": "text"}
`
  .split("\n")
  .filter((line) => line !== "");
