// Certificates for tests, made by OpenSSL when they are needed.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>

namespace neardup {

using TestKey = std::shared_ptr<EVP_PKEY>;
using TestX509 = std::shared_ptr<X509>;

// An authority and its certificates, as PEM.
class TestAuthority {
 public:
  struct Certificate {
    std::string cert;
    std::string key;
  };
  static constexpr long kDay = 24 * 60 * 60;

  explicit TestAuthority(const std::string& name)
      : key_(EVP_EC_gen("P-256"), EVP_PKEY_free), cert_(made(name, name, key_, kDay)) {
    sign(cert_, "critical,CA:TRUE", NID_basic_constraints);
  }

  std::string cert() const { return pem(cert_); }

  // For the names localhost and 127.0.0.1, valid until `until` seconds from now.
  Certificate issue(const std::string& name, long until = kDay) const {
    const TestKey key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const TestX509 cert = made(name, issuer(), key, until);
    sign(cert, "DNS:localhost,IP:127.0.0.1", NID_subject_alt_name);
    return {pem(cert), pem(key)};
  }

 private:
  static TestX509 made(const std::string& name, const std::string& by, const TestKey& key,
                       long until) {
    static long serial = 0;
    TestX509 cert(X509_new(), X509_free);
    X509_set_version(cert.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(cert.get()), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(cert.get()), -kDay);
    X509_gmtime_adj(X509_getm_notAfter(cert.get()), until);
    X509_set_pubkey(cert.get(), key.get());
    set_name(X509_get_subject_name(cert.get()), name);
    set_name(X509_get_issuer_name(cert.get()), by);
    return cert;
  }
  static void set_name(X509_NAME* place, const std::string& name) {
    X509_NAME_add_entry_by_txt(place, "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  }
  void sign(const TestX509& cert, const char* extension, int kind) const {
    X509_EXTENSION* made = X509V3_EXT_conf_nid(nullptr, nullptr, kind, extension);
    X509_add_ext(cert.get(), made, -1);
    X509_EXTENSION_free(made);
    X509_sign(cert.get(), key_.get(), EVP_sha256());
  }
  std::string issuer() const {
    char name[64] = {};
    X509_NAME_get_text_by_NID(X509_get_subject_name(cert_.get()), NID_commonName, name,
                              sizeof name);
    return name;
  }
  static std::string content(BIO* memory) {
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(memory, &bytes);
    std::string text(bytes, static_cast<std::size_t>(size));
    BIO_free(memory);
    return text;
  }
  static std::string pem(const TestX509& cert) {
    BIO* memory = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(memory, cert.get());
    return content(memory);
  }
  static std::string pem(const TestKey& key) {
    BIO* memory = BIO_new(BIO_s_mem());
    PEM_write_bio_PrivateKey(memory, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    return content(memory);
  }

  TestKey key_;
  TestX509 cert_;
};

}  // namespace neardup
