package screen

// secretRules catch secrets. The examples are put together here so that scanners of
// source code do not take them for real ones.
var secretRules = []rule{
	{
		code: "secret_aws_key", means: "an access key id of AWS",
		find:   scan(findAWS),
		hits:   []string{"AK" + "IA" + "Q7Z2LM5T4VXJ3RW6", "密钥" + "AS" + "IA" + "Q7Z2LM5T4VXJ3RW6请勿外传", "key=AK" + "IA" + "Q7Z2LM5T4VXJ3RW6;"},
		misses: []string{"AK" + "IAIOSFODNN7EXAMPLE", "AKIA stands for nothing", "MAK" + "IA" + "Q7Z2LM5T4VXJ3RW6"},
	},
	{
		code: "secret_token", means: "a key told by its issuer's form",
		find: scan(findTokens),
		hits: []string{
			"令牌gh" + "o_" + "R4tYq9ZpLm2Xc7Vb1Nk8Hj5Gf3DsAw6Eu0Ti" + "已更新",
			"github" + "_pat_" + "11ABQ7Z2L0m5T4vXj3Rw6K_pQ9sDf8GhJ2kL4zXcV7bNm1",
			"xo" + "xb-" + "271828182845-904523536028-Zq7LmPx2Rt9Vb4Nk",
			"sk" + "_live_" + "9fQ2mZ7xLp4Vt1Rc8Wd5",
			"sk" + "-ant-" + "api03-Lm2Xc7Vb1Nk8Hj5Gf3Ds-Aw6Eu0Ti",
			"sk" + "-" + "Lm2Xc7Vb1Nk8Hj5Gf3DsAw6Eu0TiR4tYq9Zp",
			"AI" + "za" + "SyR4tYq9ZpLm2Xc7Vb1Nk8Hj5Gf3DsAw6E-u0",
			"holdfast" + "_k7Q2mZ_" + "R4tYq9ZpLm2Xc7Vb1Nk8Hj5Gf3DsAw6Eu0TiLm2Xc7V",
		},
		misses: []string{
			"gh" + "p_" + "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "Tokens start with ghp_ or github_pat_.",
			"sk-loading-indicator-for-the-main-page-of-the-app", "holdfast_url is the address of the service",
			"npm_config_registry_setting_of_the_machine", "holdfast_settings_of_the_third_workspace_in_the_table",
		},
	},
	{
		code: "secret_jwt", means: "a signed token (RFC 7519)",
		find:   scan(findJWT),
		hits:   []string{"Bearer ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiJraW0iLCJhZG0iOjF9." + "R4tYq9ZpLm2Xc7Vb1Nk8Hj5Gf3DsAw6Eu0Ti-Zp"},
		misses: []string{"A token has three parts: eyJhbGci…, eyJzdWIi… and a signature."},
	},
	{
		code: "secret_private_key", means: "a private key in text form (RFC 7468)",
		find: scan(findPrivateKeys),
		hits: []string{
			"-----BEGIN " + "EC PRIVATE KEY-----\nMHcCAQEEIBq7Lm2Xc7Vb1Nk8Hj5Gf3DsAw6Eu0TiR4tYq9Zp\n",
			"-----BEGIN " + "RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0A1B\n\nMHcCAQEEIBq7Lm2Xc7Vb1Nk8Hj5Gf3DsAw6Eu0TiR4tYq9Zp\n",
			"\"-----BEGIN " + "PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\\n\"",
		},
		misses: []string{
			"The file starts with -----BEGIN " + "RSA PRIVATE KEY-----.",
			"-----BEGIN " + "PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEq7Lm2Xc7Vb1N\n-----END PUBLIC KEY-----",
		},
	},
	{
		code: "secret_connection", means: "an address with a password in it",
		find:   scan(findConnections),
		hits:   []string{"postgres://app:" + "Zq7!mPx2Rt" + "@db.internal:5432/shop"},
		misses: []string{"postgres://user:password@localhost/db", "https://docs.example/a:b@c", "postgres://app:${DB_PASS}@db/shop"},
	},
	{
		code: "secret_assignment", means: "a value given to a name such as api_key or password",
		find: &assignment{},
		hits: []string{
			"api_key = \"" + "9fQ2mZ7xLp4Vt1Rc8Wd5" + "\"", "client-secret: " + "Zq7LmPx2Rt9Vb4NkHs", "password: " + "Tr7!kolben9",
			"TOKEN=" + "9fq2mz7xlp4vt1rc8wd5", "Authorization: Bearer " + "9fQ2mZ7xLp4Vt1Rc8Wd5", "The router's password is " + "Tr7!kolben9" + ".",
			"Das Passwort lautet " + "Kw7pXz3mRt", "Das Kennwort für den Drucker ist „" + "Kw7pXz3mRt" + "“.", "Le mot de passe du serveur est " + "Kw7pXz3mRt",
			"La contraseña es " + "Kw7pXz3mRt", "A senha do portal é " + "Kw7pXz3mRt", "Het wachtwoord voor de kassa: " + "Kw7pXz3mRt",
			"Пароль от сети — это " + "Kw7pXz3mRt", "密码是" + "Kw7pXz3mRt" + "，别忘了", "パスワードは" + "Kw7pXz3mRt" + "です", "비밀번호: " + "Kw7pXz3mRt",
			"The password of the guest network is " + "Kw7pXz3mRt", "The door's passcode is " + "hQzRtVbnWkLp",
			"The API key is " + "9fQ2mZ7xLp4Vt1Rc8Wd5", "Der API-Schlüssel lautet " + "9fQ2mZ7xLp4Vt1Rc8Wd5", "La clave de API es " + "9fQ2mZ7xLp4Vt1Rc8Wd5",
		},
		misses: []string{
			"password: ********", "api_key = os.environ[\"API_KEY\"]", "The password is in the safe.", "Das Passwort lautet wie immer.", "Das Passwort ist im Tresor.",
			"Le mot de passe est sous le clavier.", "The password manager is KeePassXC2", "La clave es la paciencia.", "密码是秘密。",
			"The password for the guest network is on the fridge.", "The house key is under pot 7B of the 2nd terrace.", "token: prod-eu-west-cluster-name",
			"The password is at least 14 characters long.", "Send Authorization: Bearer followed by the token.",
			"secret = YOUR_SECRET_GOES_IN_THIS_PLACE_1", "Password: at least 14 characters, changed each year.",
			"The sort key: 9fQ2mZ7xLp4Vt1Rc8Wd5", "request token: 4f1c7b52-8a06-4b8e-9d0a-2f64c1d7e9ab",
		},
	},
}
